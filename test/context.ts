import { join } from 'node:path'
import type { Context } from '../src/context/context.ts'
import { suggesting } from '../src/context/flags.ts'
import type { Environment } from '../src/model/artifact.ts'
import { shortId } from '../src/selection/session-names.ts'

/** What a surface gives a command, for a test that calls parts of the program: it prints nothing. */
export const contextFor = (environment: Environment, more: Partial<Context> = {}): Context => ({
  environment,
  now: Date.UTC(2026, 10, 20, 12),
  directory: environment.home,
  here: environment.home,
  threads: 1,
  redact: true,
  storePath: ':memory:',
  dataFolder: join(environment.home, '.scrollback'),
  machine: { device: 'test-machine', user: 'ann' },
  started: { executable: 'node', script: 'scrollback.js' },
  suggest: suggesting('scrollback', () => [], undefined, shortId),
  print: async () => {},
  deliverOut: async () => {},
  note: () => {},
  ...more,
})
