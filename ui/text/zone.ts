/** The time zone of the reader, such as `Europe/Berlin`. */
export const readerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
