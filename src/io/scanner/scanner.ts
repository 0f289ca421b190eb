import { setFlagsFromString } from 'node:v8'
import { INPUT_AT, PADDING, PAGE, WORDS_AT } from './layout.ts'
import { scannerModule } from './scanner.wasm.ts'

interface Exports {
  learn(at: number, length: number, id: number, flags: number): void
  scan(start: number, end: number): number
  consumed: WebAssembly.Global
}

/** Words numbered from 1 in the order given: keys first, then values that are not keys. At most 255. */
export interface WordList {
  words: readonly string[]
  /** The words under which containers are walked into. */
  descend: ReadonlySet<string>
  /** Types of records whose lines are not walked where the first bytes tell the type: only that is reported of them. */
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

  /** Bytes of input that fit. */
  get capacity(): number {
    return this.bytes.length - INPUT_AT - PADDING
  }

  /** Makes room for a longer line. The views move: take `bytes` and `words` again. */
  grow(capacity: number): void {
    this.#memory.grow(pagesFor(capacity) - this.bytes.length / PAGE)
    this.bytes = Buffer.from(this.#memory.buffer)
    this.words = new Uint32Array(this.#memory.buffer)
  }

  /** Reports the lines of [start, end), whose last byte is a newline. Returns how many; see `consumed`. */
  scan(start: number, end: number): number {
    return this.#exports.scan(start, end)
  }

  get consumed(): number {
    return (this.#exports.consumed.value as number) >>> 0
  }
}

const pagesFor = (capacity: number): number => Math.ceil((INPUT_AT + capacity + PADDING) / PAGE)

let module: WebAssembly.Module | undefined

/** Compiled once a thread, with the optimizing compiler at once: the quick one is ten times slower on this code. */
function compile(): WebAssembly.Module {
  if (!module) {
    setFlagsFromString('--no-liftoff')
    module = new WebAssembly.Module(Buffer.from(scannerModule, 'base64'))
    setFlagsFromString('--liftoff')
  }
  return module
}
