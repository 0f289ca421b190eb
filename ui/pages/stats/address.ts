import { type Address, ask, type ParametersOf } from '../../api/ask.ts'
import { readerZone } from '../../text/zone.ts'

/** The statistics, with the days of the reader's time zone. A project is the one with exactly this name. */
export const statsAddress = (parameters: ParametersOf<'stats'>): Address<'stats'> =>
  ask('stats', { all: !parameters.project, timezone: readerZone(), ...parameters })
