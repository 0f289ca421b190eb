import type { DeliveryState } from './state/state.ts'

/**
 * Stores the reason of a failed delivery for `--status`. Errors of the state are ignored, because the caller
 * throws the failure itself.
 */
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
    // The caller reports the failure itself.
  }
}
