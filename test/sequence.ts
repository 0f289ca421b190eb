import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Test files that take the longest, each of its project, the longest first. Started last, one of them would keep
 * one worker busy alone.
 */
const LONG = [
  ...['test/http/session', 'test/page/first-screen', 'test/e2e/both-ways', 'test/contract/store'],
  ...['test/contract/every-way', 'test/e2e/mcp', 'test/http/access'],
  ...['test/contract/hostile-rows', 'test/page/truth', 'test/page/find', 'test/e2e/keep', 'test/e2e/serve'],
  ...['test/devlog/command', 'test/contract/search', 'test/redaction/measured', 'test/e2e/cron-hostile'],
  ...['test/page/pages', 'test/page/filters', 'test/page/live', 'test/page/session-keys'],
  ...['test/page/opened', 'test/page/session-parts', 'test/page/statistics', 'test/page/long'],
  ...['test/page/faults', 'test/page/hostile', 'test/page/sign-in', 'test/page/runs'],
  ...['test/contract/delivery-faults', 'test/http/answers', 'test/http/fuzz'],
  ...['test/bench/quick', 'test/e2e/public-examples', 'test/e2e/killed', 'test/e2e/terminal'],
  ...['test/contract/cuts-long', 'test/contract/cuts-short', 'test/hostile/linear-patterns'],
  ...['test/hostile/unreadable', 'src/redact/work', 'test/contract/cut-heads'],
  ...['test/hostile/archive-bits', 'test/contract/eras', 'test/hostile/printed', 'test/hostile/every-field'],
  ...['test/e2e/databases', 'test/crash/crash', 'test/contract/database-increments', 'test/e2e/examples'],
  ...['test/hostile/forged-fields', 'test/e2e/system-calls', 'test/e2e/collect-receive'],
  ...['test/hostile/compile-cache', 'test/e2e/full-disk', 'test/canary/never-open'],
]

/**
 * One project after another: files of one share a process only as long as the next one belongs to it. The last
 * one has the most short files.
 */
const PROJECTS = ['exhaustive-pages', 'exhaustive-alone', 'exhaustive']

const projectOf = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name)

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return place < 0 ? LONG.length : place
}

/** Starts the longest test files first, and gives each part as many of them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other))
  }

  /** Deals out the files: the longest to one part after another, then all others. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard!
    const dealt = files.toSorted(
      (one, other) => placeOf(one) - placeOf(other) || (one.moduleId < other.moduleId ? -1 : 1),
    )
    // There and back again, so that the part with the longest file has the shortest of the next round.
    return dealt.filter((_, at) => {
      const round = Math.floor(at / count)
      const place = at % count
      return (round % 2 === 0 ? place : count - 1 - place) === index - 1
    })
  }
}
