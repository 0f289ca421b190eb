import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSound, verifyArchive } from '../../src/deliver/archive/records.ts'
import { createOutputFile, writePrivateFile } from '../../src/io/own-files.ts'
import { collect, deliveredTo } from '../deliveries.ts'
import { batchOfNumbers, envelope } from '../envelopes.ts'
import { FIRST_README, firstFrame } from '../first-format.ts'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { appendLater, numbersIn, openArchive, smallArchive } from '../small-archives.ts'

/** Everything below a folder: names, targets of links, and bytes. */
const picture = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const stats = lstatSync(path)
      if (stats.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`
      return stats.isFile() ? `${name}: ${readFileSync(path, 'latin1')}` : name
    })

const TODAY = new Date().toISOString().slice(0, 10)
const SEGMENT = `records-${TODAY}-0001.jsonl.zst`

function homeWithOneRecord(): string {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'one')])
  return home
}

describe('a directory of somebody else', () => {
  it.each<[string, (folder: string, other: string) => void]>([
    ['a README of somebody else', (folder) => writeFileSync(join(folder, 'README.txt'), 'Mine.\n')],
    ['a link named README.txt', (folder, other) => symlinkSync(other, join(folder, 'README.txt'))],
    ['a file of a segment’s name', (folder) => writeFileSync(join(folder, SEGMENT), 'my own records\n')],
    ['a link of a segment’s name', (folder, other) => symlinkSync(other, join(folder, SEGMENT))],
    ['a link that leads nowhere', (folder, other) => symlinkSync(`${other}-none`, join(folder, SEGMENT))],
    ['a link named .lock', (folder, other) => symlinkSync(other, join(folder, '.lock'))],
    ['a lock of another program', (folder) => writeFileSync(join(folder, '.lock'), '4711\n')],
    ['a hard link named .lock', (folder, other) => linkSync(other, join(folder, '.lock'))],
    [
      'a link instead of the marker',
      (folder, other) => symlinkSync(other, join(folder, 'scrollback-archive.json')),
    ],
    ['an invalid marker', (folder) => writeFileSync(join(folder, 'scrollback-archive.json'), '{}')],
    ['a folder', (folder) => mkdirSync(join(folder, 'photos'))],
    ['a hidden file', (folder) => writeFileSync(join(folder, '.profile'), 'x')],
    [
      'frames of the first format next to a file of somebody else',
      (folder) => {
        writeFileSync(join(folder, SEGMENT), firstFrame(Buffer.from(envelope(1)), 1))
        writeFileSync(join(folder, 'notes.md'), 'x')
      },
    ],
  ])('is rejected and remains unchanged: %s', (_, plant) => {
    const home = homeWithOneRecord()
    const folder = join(home, 'there')
    const other = join(home, 'other')
    mkdirSync(folder)
    writeFileSync(other, 'somebody else’s words\n')
    plant(folder, other)
    const before = picture(folder)
    const { code, stdout, stderr } = collect(home, 'file:there')
    expect(code).toBe(3)
    expect(stdout).toContain('Nothing delivered')
    expect(stderr).toMatch(/(?:Use an empty directory|collect repair)/)
    expect(picture(folder)).toEqual(before)
    expect(readFileSync(other, 'utf8')).toBe('somebody else’s words\n')
    const received = run(['receive', 'file:there', '--port', '0'], home)
    expect(received.code).toBe(1)
    expect(picture(folder)).toEqual(before)
    expect(readFileSync(other, 'utf8')).toBe('somebody else’s words\n')
    expect(run(['collect', 'file:elsewhere'], home).code).toBe(2)
  })

  it('is accepted if it contains only what systems create', () => {
    const home = homeWithOneRecord()
    mkdirSync(join(home, 'there/lost+found'), { recursive: true })
    expect(collect(home, 'file:there')).toMatchObject({ code: 0, stderr: '' })
    expect(deliveredTo(join(home, 'there'))).toHaveLength(1)
  })
})

describe('files of somebody else in an archive', () => {
  const planted = async (plant: (folder: string, other: string) => void) => {
    const home = temporaryHome()
    const folder = join(home, 'archive')
    const other = join(home, 'other')
    writeFileSync(other, 'somebody else’s words\n')
    await smallArchive(folder)
    plant(folder, other)
    return { folder, other, words: () => readFileSync(other, 'utf8') }
  }
  const NEXT = 'records-2026-11-20-0004.jsonl.zst'

  it.each<[string, (folder: string, other: string) => void]>([
    ['a link', (folder, other) => symlinkSync(other, join(folder, NEXT))],
    ['a link that leads nowhere', (folder, other) => symlinkSync(`${other}-none`, join(folder, NEXT))],
    ['a hard link', (folder, other) => linkSync(other, join(folder, NEXT))],
    ['a file', (folder) => writeFileSync(join(folder, NEXT), 'my own records\n')],
    ['a folder', (folder) => mkdirSync(join(folder, NEXT))],
  ])('are skipped if they have the name of a new segment: %s', async (_, plant) => {
    const { folder, words } = await planted(plant)
    const before = picture(folder).filter((name) => name.startsWith(NEXT))
    const sink = await openArchive(folder, 1)
    await sink.write(batchOfNumbers(8, 9))
    await sink.write(batchOfNumbers(9, 10))
    await sink.close?.()
    expect(picture(folder).filter((name) => name.startsWith(NEXT))).toEqual(before)
    expect(words()).toBe('somebody else’s words\n')
    expect(numbersIn(folder)).toEqual([0, 1, 2, 3, 8, 9])
  })

  it('are not written through if the newest segment was replaced by a link', async () => {
    const newest = 'records-2026-11-20-0003.jsonl.zst'
    const { folder, other } = await planted((folder, other) => {
      renameSync(join(folder, newest), other)
      symlinkSync(other, join(folder, newest))
    })
    const before = readFileSync(other)
    expect((await appendLater(folder)).join()).toContain('link')
    expect(readFileSync(other)).toEqual(before)
  })

  it.each(['manifest.json', 'acknowledged', '.lock'])('are not written through: %s', async (name) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    collect(home, 'file:archive')
    const path = join(home, 'archive', name)
    const target = join(home, 'target')
    renameSync(path, target)
    symlinkSync(target, path)
    const before = readFileSync(target)
    putClaude(home, uuid(2), [claude.user(2, 'two')])
    const { code, stderr } = collect(home, 'file:archive')
    expect([code, readFileSync(target)]).toEqual([3, before])
    expect(stderr).toContain(name)
  })
})

it('a snapshot with hard links to the files of an archive remains unchanged, and the archive continues in other files', async () => {
  const home = temporaryHome()
  const folder = join(home, 'archive')
  await smallArchive(folder)
  const snapshot = join(home, 'snapshot')
  mkdirSync(snapshot)
  for (const name of readdirSync(folder)) linkSync(join(folder, name), join(snapshot, name))
  const before = picture(snapshot)
  expect(await appendLater(folder)).toEqual([])
  expect(await appendLater(folder)).toEqual([])
  expect(picture(snapshot)).toEqual(before)
  expect(numbersIn(folder)).toEqual([0, 1, 2, 3, 9])
  expect(isSound(verifyArchive(folder))).toBe(true)
})

describe('an archive of the first format', () => {
  const PROMPT = '{"type":"user","message":{"role":"user","content":"one"}}'
  const first = (folder: string, spoil = (bytes: Buffer): Buffer => bytes): string => {
    mkdirSync(folder, { recursive: true })
    const frames = [1, 2, 3].map((number) => firstFrame(Buffer.from(envelope(number, PROMPT)), 1))
    const path = join(folder, 'records-2026-11-01-0001.jsonl.zst')
    writeFileSync(path, spoil(Buffer.concat(frames)))
    writeFileSync(join(folder, 'README.txt'), FIRST_README)
    writeFileSync(join(folder, '.lock'), '')
    return path
  }

  it('can be read, and is continued unchanged by a delivery', async () => {
    const home = temporaryHome()
    const folder = join(home, 'archive')
    const path = first(folder)
    expect(run(['collect', '--verify', folder], home)).toMatchObject({ code: 0 })
    expect(run(['sessions', '--all', '--from', folder], home)).toMatchObject({ code: 0, stderr: '' })
    const before = readFileSync(path)
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    expect(collect(home, `file:${folder}`)).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(path)).toEqual(before)
    const verified = run(['collect', '--verify', folder], home)
    expect(verified.stdout).toContain('4 records in 2 segments')
    expect(verified.code).toBe(0)
    writeFileSync(path, Buffer.concat([before, Buffer.from('x')]))
    expect(run(['collect', '--verify', folder], home).code).toBe(3)
  })

  it('is continued in another segment if it is damaged, and can be repaired', async () => {
    const home = temporaryHome()
    const folder = join(home, 'archive')
    const path = first(folder, (bytes) => {
      bytes[bytes.length >> 1]! ^= 1
      return bytes
    })
    const before = readFileSync(path)
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    const { code, stdout, stderr } = collect(home, `file:${folder}`)
    expect([code, stdout]).toEqual([3, expect.stringContaining('Delivered 1 record')])
    expect(stderr).toContain('is damaged at byte')
    expect(readFileSync(path)).toEqual(before)
    const repaired = run(['collect', '--repair', folder], home)
    expect([repaired.code, repaired.stdout]).toEqual([
      3,
      expect.stringContaining('2 records recovered, 1 lost'),
    ])
    expect(run(['collect', '--verify', folder], home)).toMatchObject({ code: 0 })
    expect(deliveredTo(folder)).toHaveLength(3)
  })
})

it('a file in a directory where others may write is never written through a planted link', () => {
  const home = temporaryHome()
  const other = join(home, 'other')
  writeFileSync(other, 'somebody else’s words\n')
  for (const name of ['export.html', `export.html.${process.pid}.part`, 'token', `token.${process.pid}`])
    symlinkSync(other, join(home, name))
  const file = createOutputFile(join(home, 'export.html'))
  file.write('ours')
  file.done()
  writePrivateFile(join(home, 'token'), 'ours')
  for (const name of ['export.html', 'token']) {
    expect(lstatSync(join(home, name)).isFile()).toBe(true)
    expect(readFileSync(join(home, name), 'utf8')).toBe('ours')
  }
  expect(readFileSync(other, 'utf8')).toBe('somebody else’s words\n')
})
