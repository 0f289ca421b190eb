import { syncBuiltinESMExports } from 'node:module'

type Call = (...given: unknown[]) => unknown
type Calls = Record<string, Call>

const NUMBERS = { EIO: 5, ENOSPC: 28, EACCES: 13, EMFILE: 24 }
export type Code = keyof typeof NUMBERS
export const CODES = Object.keys(NUMBERS) as Code[]

const NAMES = [
  'openSync',
  'closeSync',
  'readSync',
  'writeSync',
  'fstatSync',
  'statSync',
  'lstatSync',
  'readdirSync',
  'realpathSync',
  'readFileSync',
  'writeFileSync',
  'mkdirSync',
  'chmodSync',
  'truncateSync',
  'fsyncSync',
]
const HANDLE_NAMES = ['write', 'datasync', 'truncate', 'close']

/**
 * Counts the calls of the file system during some work, and lets the call with one number fail as the system
 * would. A failing close still closes the file, as on real systems. `before` is called before each. Returns
 * the calls in order.
 */
export async function withFailingCall<Result>(
  failing: { at: number; code: Code } | undefined,
  work: () => Promise<Result>,
  before?: () => void,
): Promise<{ result?: Result; error?: unknown; called: string[] }> {
  const system = process.getBuiltinModule('node:fs') as unknown as Calls & { promises: Calls }
  const originals = Object.fromEntries(NAMES.map((name) => [name, system[name]!]))
  const keptOpen = system.promises.open!
  const called: string[] = []

  function wrap(name: string, own: Call): Call {
    return function (this: unknown, ...given) {
      before?.()
      called.push(name)
      if (called.length !== failing?.at) return own.apply(this, given)
      if (/close/i.test(name)) own.apply(this, given)
      const { code } = failing
      throw Object.assign(new Error(`${code}: ${name} fails on purpose`), {
        ...{ code, errno: -NUMBERS[code], syscall: name.replace('Sync', ''), path: String(given[0]) },
      })
    }
  }
  const wrapLater = (name: string, own: Call): Call => {
    const sync = wrap(name, own)
    return async function (this: unknown, ...given) {
      return sync.apply(this, given)
    }
  }

  for (const name of NAMES) system[name] = Object.assign(wrap(name, originals[name]!), originals[name])
  system.promises.open = wrapLater('open', async (...given) => {
    const handle = (await keptOpen(...given)) as Calls
    for (const name of HANDLE_NAMES) handle[name] = wrapLater(name, handle[name]!.bind(handle))
    return handle
  })
  syncBuiltinESMExports()
  try {
    return { result: await work(), called }
  } catch (error) {
    return { error, called }
  } finally {
    for (const name of NAMES) system[name] = originals[name]!
    system.promises.open = keptOpen
    syncBuiltinESMExports()
  }
}
