import type { DeliveryState } from './state.ts'

/** Remembers why a delivery failed, for `--status`. Where not even that can be written, the failure itself is what counts. */
export function noteFailure(
  state: DeliveryState,
  destination: number,
  message: string,
  retry: boolean,
  nowMs = Date.now(),
): void {
  try {
    state.failed(destination, message, nowMs, retry)
  } catch {
    // Whoever asked hears of the failure itself.
  }
}
