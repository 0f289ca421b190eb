/** Bundles the program for publishing: few files, because each one loaded costs start-up time. */
import { rmSync } from 'node:fs'
import { bundle } from './bundle.ts'

rmSync('dist', { recursive: true, force: true })
await bundle(true)
