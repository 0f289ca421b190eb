/** Why a directory cannot be written to. */
export type ArchiveProblem = 'foreign' | 'gone' | 'other' | 'older' | 'unmarked'

/** An error with a remedy. Nothing was changed. */
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
