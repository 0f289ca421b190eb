/** For surfaces: a program claims its process, a library does not. */

/** For surfaces: a server that stays for hours. */
export { collectGarbage, heapUsed, preferSmallCode } from '../../io/heap.ts'
export { claimProcess } from '../../io/own-process.ts'
