import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { temporaryHome } from '../records.ts'
import { REGISTERED } from '../third-platform/registered.ts'
import { type Plant, plantedTree, questionsFor, STRUCTURE } from './planted-tree.ts'

const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')
/** No part of it may remain, in upper or lower case. */
const traces = [token.slice(4, 16), token.slice(20, 32), token.slice(-12)].map((each) => each.toLowerCase())
const holds = (text: string): boolean => {
  const small = text.toLowerCase()
  return traces.some((trace) => small.includes(trace))
}

const everywhere: Plant = (value, key) =>
  /^\/|^~/.test(value)
    ? `${value}/${token}`
    : /name|model|key/i.test(key)
      ? `${value}-${token}`
      : `${value} ${token}`
const exceptStructure: Plant = (value, key) => (STRUCTURE.test(key) ? value : everywhere(value, key))
const inName = (name: string): string => `${name}-${token}`

describe.each([
  ['except in the structure of records, but in names of folders and notes', exceptStructure, inName, []],
  ['in every string, types and ids too', everywhere, undefined, ['--json']],
] as const)('a secret in every field: %s', (_, plant, name, form) => {
  it('is in no output and not in the store', () => {
    const home = temporaryHome()
    const flags = plantedTree(home, plant, name)
    const leaks: string[] = []
    const look = (what: string, text: string): void => {
      if (!holds(text)) return
      const at = traces.map((trace) => text.toLowerCase().indexOf(trace)).find((index) => index >= 0)!
      leaks.push(`${what}: …${text.slice(Math.max(0, at - 120), at + 40)}`)
    }
    for (const question of questionsFor(form)) {
      const args = [...question, ...form]
      const { stdout, stderr, code } = run([...args, ...flags], home, { env: REGISTERED })
      expect([0, 3], `${args.join(' ')}: ${stderr}`).toContain(code)
      look(args.join(' '), stdout)
      look(`${args.join(' ')}, stderr`, stderr)
    }
    for (const format of ['html', 'md', 'json']) {
      const out = join(home, `out-${format}`)
      const { stdout, stderr } = run(['export', '--all', '--format', format, '--out', out, ...flags], home, {
        env: REGISTERED,
      })
      look(`export --format ${format}`, stdout + stderr)
      const files =
        existsSync(out) && format === 'md' ? readdirSync(out).map((name) => join(out, name)) : [out]
      for (const file of files)
        look(`exported ${file.slice(home.length)}`, file.slice(home.length) + readFileSync(file, 'utf8'))
    }
    const collected = run(['collect', 'stdout:', '--history', 'all', ...flags], home, { env: REGISTERED })
    look('collect stdout:', collected.stdout + collected.stderr)
    // The collector finds sources again by their paths on disk.
    const storedFiles = filesOf(home).filter((file) => name === undefined || !/collect\.sqlite/.test(file))
    for (const file of storedFiles) look(`the bytes of ${file}`, readFileSync(file, 'latin1'))
    expect(leaks).toEqual([])
  })
})

/** All files of the program. */
function filesOf(home: string): string[] {
  const folder = join(home, '.local/share/scrollback')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
