/** For surfaces: a program claims its process, a library does not. */

/** For surfaces: after a very large answer, and before a server starts. */
export { collectGarbage, preferSmallCode } from '../../io/heap.ts'
export { claimProcess } from '../../io/own-process.ts'
