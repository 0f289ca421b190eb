import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openSource } from '../../io/source.ts'
import type { PageFiles } from '../kit/context.ts'
import { inPackage } from '../kit/package-folder.ts'

/** The folder of the built page. */
const FOLDER = join('dist', 'page')

export function pageFiles(folder: string | undefined = inPackage(FOLDER)): PageFiles {
  const listed = new Map<string, string>()
  const contents = new Map<string, Buffer>()
  if (folder !== undefined)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) listed.set(path.slice(folder.length + 1).replaceAll('\\', '/'), path)
    }
  const compressed = new Map<string, Buffer | undefined>()
  return {
    isBuilt: () => listed.has('index.html'),
    read(address) {
      const path = listed.get(address)
      if (path === undefined) return undefined
      const known = contents.get(address) ?? contentOf(path)
      contents.set(address, known)
      return known
    },
    packed(address) {
      if (compressed.has(address)) return compressed.get(address)
      const content = this.read(address)
      const packed = content && gzipSync(content, { level: 9 })
      const smaller = packed && packed.length < content.length ? packed : undefined
      compressed.set(address, smaller)
      return smaller
    },
  }
}

function contentOf(path: string): Buffer {
  const source = openSource(path)
  try {
    const bytes = Buffer.alloc(statSync(path).size)
    let length = 0
    for (let count = -1; length < bytes.length && count !== 0; length += count)
      count = source.read(bytes, length, bytes.length - length)
    return bytes.subarray(0, length)
  } finally {
    source.close()
  }
}
