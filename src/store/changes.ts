import type { CopiedItem, CopiedUsage, FileCopy } from './file-copy.ts'

/** More often than a file is rewritten. Targets have its generations after those of earlier stores. */
export const GENERATIONS = 2 ** 10

/** What a store has of a file, without its items and usage. */
export type FileHeader = Omit<FileCopy, 'items' | 'usages' | 'links'> & {
  /** Whose messages come first: those of the file with the lowest rank. */
  rank: number
}

/** A file of which a target has not acknowledged everything. */
export interface ChangedFile {
  id: number
  /** What tells it apart from the other files of this machine. It comes from its path. */
  number: number
  /** Everything up to this number was acknowledged. 0 if nothing was. */
  since: number
  /** A month (`YYYYMM`) of the file that never changes. */
  month: number
  /** The target has to remove it. */
  isRemoved: boolean
  /** What is stored of it. Absent if it is to be removed. */
  header?: FileHeader
}

/** A position of a file whose item has changed. */
export interface ChangedItem {
  generation: number
  line: number
  order: number
  /** Absent if there is none any more. */
  item?: CopiedItem
  /** The number of its message in the store. The highest is the newest. */
  message?: number
}

/** The usage of a reply that has changed. */
export interface ChangedUsage {
  reply: number
  /** Absent if there is none any more. */
  usage?: CopiedUsage
}

/** How far a target is. */
interface TargetState {
  /** Files that it has, and those that it has refused. */
  files: number
  refused: number
}

/**
 * What has changed in the store of a machine, for the spaces that it sends to. Every changed row has the
 * number of its change, and each target the number up to which it has acknowledged a file. Nothing of it is
 * in a store until the first target is named.
 */
export interface Changes {
  /** The number of a target by its address. New targets have acknowledged nothing. */
  target(address: string): number
  /**
   * Begins a delivery: what changes from now on has a higher number than everything before. Returns that
   * number, which grows with every delivery, also if the clock was set back.
   */
  begin(nowMs: number): number
  /**
   * The files of which a target has not everything, without their headers: those of `wanted` that are new or
   * have changed, and those that it has and that are not wanted, or not stored, any more.
   */
  due(target: number, wanted: ReadonlySet<number>): ChangedFile[]
  /** Adds the header of a file, and its month if nothing was sent of it yet. */
  withHeader(file: ChangedFile): ChangedFile
  items(file: ChangedFile): Iterable<ChangedItem>
  usages(file: ChangedFile): Iterable<ChangedUsage>
  /**
   * Notes that a target gets these files now, so that they are removed there if they are not wanted later.
   */
  began(target: number, files: readonly ChangedFile[]): void
  /** Notes that a target has everything of these files that a delivery has begun with. */
  acknowledge(target: number, files: readonly ChangedFile[], number: number): void
  /** Notes that a target refuses these files, until they change. */
  refused(target: number, files: readonly ChangedFile[], number: number): void
  /** Notes that a delivery is complete. What no target needs any more is dropped. */
  complete(target: number, number: number): void
  /** Nothing is sent to a target any more. */
  drop(address: string): void
  /** A target gets everything again. */
  again(target: number): void
  state(target: number): TargetState
}
