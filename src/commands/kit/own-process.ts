/** For surfaces: a program claims its process, a library does not. */

/** For surfaces, after a very large answer. */
export { collectGarbage } from '../../io/heap.ts'
export { claimProcess } from '../../io/own-process.ts'
