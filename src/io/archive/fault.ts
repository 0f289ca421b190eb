/** Why nothing may be written to a directory. */
export type ArchiveProblem = 'foreign' | 'gone' | 'other' | 'older' | 'unmarked'

/** Says what was found, and what to do about it. Nothing was touched. */
export class ArchiveFault extends Error {
  readonly problem: ArchiveProblem
  readonly wayOut: string

  constructor(problem: ArchiveProblem, message: string, wayOut: string) {
    super(message)
    this.name = 'ArchiveFault'
    this.problem = problem
    this.wayOut = wayOut
  }
}
