import { appendFileSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

/** Far from both ends, which are compared before reading continues. */
const LINES = 60
const EDITED = 30
const leaves = 'leaf '.repeat(100)

function home(): { home: string; path: string } {
  const home = temporaryHome()
  const lines = Array.from({ length: LINES }, (_, number) =>
    number === EDITED
      ? claude.reply(number + 1, [text(`the oldword ${leaves}`)])
      : claude.user(number + 1, `line ${number} ${leaves}`),
  )
  const path = putClaude(home, uuid(1), lines)
  // A file that has just been written is read from its first byte again.
  utimesSync(path, 1, 1)
  return { home, path }
}

const edited = (path: string): string => readFileSync(path, 'utf8').replace('oldword', 'newword')
const another = (): string => `${JSON.stringify(claude.user(LINES + 1, 'and more'))}\n`

describe('a transcript that was edited in its middle and then grew', () => {
  it('is read again if the editor replaced the file, as sed -i does', () => {
    const { home: folder, path } = home()
    expect(run(['index'], folder).code).toBe(0)
    writeFileSync(`${path}.new`, edited(path))
    renameSync(`${path}.new`, path)
    appendFileSync(path, another())
    expect(run(['search', 'newword'], folder).stdout).toContain('1 match')
    // A message that was indexed remains, marked as no longer in the file.
    expect(run(['search', 'oldword'], folder).stdout).toContain('(gone)')
    const { stdout } = run(['read', uuid(1)], folder)
    expect(stdout).toContain('newword')
    expect(stdout).not.toContain('oldword')
    expect(run(['search', 'more'], folder).stdout).toContain('1 match')
    expect(run(['doctor', '--deep'], folder).code).toBe(0)
  })

  it('is delivered again if the editor replaced the file', () => {
    const { home: folder, path } = home()
    const archive = join(folder, 'archive')
    const collect = () => run(['collect', `file:${archive}`, '--history', 'all'], folder)
    expect(collect().code).toBe(0)
    writeFileSync(`${path}.new`, edited(path))
    renameSync(`${path}.new`, path)
    appendFileSync(path, another())
    expect(collect().code).toBe(0)
    const { stdout } = run(['read', '--all', '--from', archive], folder)
    expect(stdout).toContain('newword')
    expect(stdout).not.toContain('oldword')
    expect(stdout).toContain('and more')
  })

  it('is detected by doctor --deep if it was edited in place, and plain doctor states what it did not compare', () => {
    const { home: folder, path } = home()
    expect(run(['index'], folder).code).toBe(0)
    writeFileSync(path, edited(path))
    appendFileSync(path, another())
    const plain = run(['doctor'], folder)
    expect(plain.stdout).toContain('What was read before was not compared: scrollback doctor --deep')
    const deep = run(['doctor', '--deep'], folder)
    expect(deep.code).toBe(3)
    expect(deep.stdout).toContain('To rebuild the store: scrollback index --rebuild')
    run(['index', '--rebuild'], folder)
    expect(run(['search', 'newword'], folder).stdout).toContain('1 match')
    expect(run(['doctor', '--deep'], folder).code).toBe(0)
  })
})
