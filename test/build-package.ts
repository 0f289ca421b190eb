import { installed } from './installed.ts'

/** Builds and installs the package before the first test, so that no test waits for it. */
export default function buildPackage(): void {
  if (process.env.SCROLLBACK_PROGRAM !== 'sources') installed()
}
