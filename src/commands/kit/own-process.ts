/** For surfaces: a program claims its process, a library does not. */
export { claimProcess } from '../../io/own-process.ts'
