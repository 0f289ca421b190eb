/** For surfaces: a program claims its process, a library does not. */

/** For surfaces: a server that stays for hours. */
export { collectGarbage, heapUsed, preferSmallMemory } from '../../io/process/heap.ts'
export { claimProcess, createThread } from '../../io/process/own-process.ts'
