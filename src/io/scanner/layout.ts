/** The memory layout of the scanner. Must agree with assembly/scanner.ts. */
export const WORDS_AT = 0x20000
export const REPORT_AT = 0x40000
export const INPUT_AT = 0x140000
/** The scanner loads 64 bytes at a time and may read this far past the last newline. */
export const PADDING = 256
export const PAGE = 0x10000
