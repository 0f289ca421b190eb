import { localTime, type Zone } from '../../local-time.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** SQL for the local day. */
export const dayOf = (zone: Zone): string => `${localTime(zone)} / ${DAY_MS}`

/** SQL for the local hour. */
export const hourOf = (zone: Zone): string => `${localTime(zone)} / ${HOUR_MS} % 24`
