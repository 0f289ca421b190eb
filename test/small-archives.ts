import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { archiveFrames, envelopeOf, noFaults } from '../src/deliver/archive/records.ts'
import { createFileSink } from '../src/sinks/file.ts'
import type { Sink } from '../src/sinks/sink.ts'
import { batchOfNumbers } from './envelopes.ts'

export const DAY = Date.parse('2026-11-20T10:00:00Z')

export const openArchive = (folder: string, segmentBytes = 1, nowMs = DAY): Promise<Sink> =>
  createFileSink({ folder, segmentBytes, nowMs: () => nowMs, lock: () => ({ release() {} }) })

/** An archive of three segments: two finished ones, and an unfinished one of two frames. */
export async function smallArchive(folder: string): Promise<void> {
  const first = await openArchive(folder)
  for (const number of [0, 1, 2]) await first.write(batchOfNumbers(number, number + 1))
  await first.close?.()
  const second = await openArchive(folder, 1 << 20)
  await second.write(batchOfNumbers(3, 4))
  await second.close?.()
}

/** Appends record 9. */
export async function appendLater(folder: string): Promise<readonly string[]> {
  const sink = await openArchive(folder, 1 << 20)
  await sink.write(batchOfNumbers(9, 10))
  await sink.close?.()
  return sink.notes ?? []
}

/** The files of an archive. */
export const filesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()

export const bytesOf = (folder: string): Map<string, Buffer> =>
  new Map(filesOf(folder).map((name) => [name, readFileSync(join(folder, name))]))

/** The numbers of its records, each once. */
export function numbersIn(folder: string): number[] {
  const numbers = new Set<number>()
  for (const { lines } of archiveFrames(folder, noFaults()))
    for (const line of lines) numbers.add(envelopeOf(line)!.line - 1)
  return [...numbers].sort((a, b) => a - b)
}
