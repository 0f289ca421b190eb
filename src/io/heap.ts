import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the engine from widening the space for new objects beyond what it has by now. It would grow to a hundred megabytes and
 * more while a transcript larger than memory streams through, of which hardly anything stays alive; this costs no time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
