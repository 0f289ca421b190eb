/**
 * Compiles the line scanner to src/io/scanner/scanner.wasm.ts. With `--check`, only checks that it is up to
 * date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { main } from 'assemblyscript/asc'

const source = 'src/io/scanner/assembly/scanner.ts'
const target = 'src/io/scanner/scanner.wasm.ts'

let binary: Uint8Array | undefined
const options = [
  '-O3',
  '--runtime',
  'stub',
  '--noAssert',
  '--importMemory',
  '--enable',
  'simd',
  '--use',
  'abort=',
]
const { error, stderr } = await main([source, '-o', 'scanner.wasm', '--initialMemory', '1', ...options], {
  readFile: (name) => {
    try {
      return readFileSync(name, 'utf8')
    } catch {
      return null
    }
  },
  writeFile: (name, contents) => {
    if (name === 'scanner.wasm') binary = contents as Uint8Array
  },
  listFiles: () => [],
})
if (error || !binary) throw new Error(`The scanner does not compile:\n${stderr}`)

const text = `/** Compiled from assembly/scanner.ts by \`npm run build:scanner\`; do not edit. */
export const scannerModule =
  '${Buffer.from(binary).toString('base64')}'
`
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text)
    throw new Error(`${target} is out of date: npm run build:scanner`)
} else writeFileSync(target, text)
