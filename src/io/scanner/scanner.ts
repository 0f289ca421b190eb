import { v8 } from '../process/on-demand.ts'
import { isOwnProcess } from '../process/own-process.ts'
import { INPUT_AT, PADDING, PAGE, WORDS_AT } from './layout.ts'
import { scannerModule } from './scanner.wasm.ts'

interface Exports {
  learn(at: number, length: number, id: number, flags: number): void
  scan(start: number, end: number): number
  consumed: WebAssembly.Global
}

/** At most 255 words, numbered from 1: first keys, then values that are not keys. */
export interface WordList {
  words: readonly string[]
  /** Keys whose containers are walked into. */
  descend: ReadonlySet<string>
  /** Types whose lines are skipped: only the type is reported if the line begins with it. */
  passOver?: ReadonlySet<string>
}

/** The line scanner: WebAssembly with its own memory, into which files are read directly. */
export class Scanner {
  bytes: Buffer
  words: Uint32Array
  readonly #memory: WebAssembly.Memory
  readonly #exports: Exports

  constructor(list: WordList, capacity: number) {
    this.#memory = new WebAssembly.Memory({ initial: pagesFor(capacity), maximum: 0x10000 })
    const imports = { env: { memory: this.#memory } }
    this.#exports = new WebAssembly.Instance(compile(), imports).exports as unknown as Exports
    this.bytes = Buffer.from(this.#memory.buffer)
    this.words = new Uint32Array(this.#memory.buffer)
    let at = WORDS_AT
    for (const [index, word] of list.words.entries()) {
      const length = this.bytes.write(word, at)
      const flags = (list.descend.has(word) ? 1 : 0) | (list.passOver?.has(word) ? 2 : 0)
      this.#exports.learn(at, length, index + 1, flags)
      at += length
    }
  }

  /** The maximum number of input bytes. */
  get capacity(): number {
    return this.bytes.length - INPUT_AT - PADDING
  }

  /** Makes room for a longer line. Get `bytes` and `words` again afterwards, because the memory moves. */
  grow(capacity: number): void {
    this.#memory.grow(pagesFor(capacity) - this.bytes.length / PAGE)
    this.bytes = Buffer.from(this.#memory.buffer)
    this.words = new Uint32Array(this.#memory.buffer)
  }

  /**
   * Reports the lines of [start, end), which must end with a newline. Returns their number; see `consumed`.
   */
  scan(start: number, end: number): number {
    return this.#exports.scan(start, end)
  }

  get consumed(): number {
    return (this.#exports.consumed.value as number) >>> 0
  }
}

const pagesFor = (capacity: number): number => Math.ceil((INPUT_AT + capacity + PADDING) / PAGE)

let module: WebAssembly.Module | undefined

/**
 * Compiled once per thread; in our own process with the optimizing compiler, because the baseline compiler's
 * code is ten times slower here.
 */
function compile(): WebAssembly.Module {
  if (!module) {
    const bytes = Buffer.from(scannerModule, 'base64')
    const isOurs = isOwnProcess()
    if (isOurs) v8().setFlagsFromString('--no-liftoff')
    module = new WebAssembly.Module(bytes)
    if (isOurs) v8().setFlagsFromString('--liftoff')
  }
  return module
}
