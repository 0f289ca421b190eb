import { apiAddress, type Parameters } from '../../api/client.ts'

/** The statistics, with the days of the reader's time zone. */
export const statsAddress = (parameters: Parameters): string =>
  apiAddress('stats', {
    all: true,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...parameters,
  })
