import { relative } from 'node:path'
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestSpecification,
  TestSuite,
  Vitest,
} from 'vitest/node'

/** Lines of progress come at most this often where they stay: in a pipe or in a log. */
const EVERY_MS = 10_000
const REDRAW_MS = 200
const SLOWEST = 3

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/**
 * Tells a person how far the tests are: on a terminal on one line, in a log with a line every ten seconds.
 * Failures are printed at once, and five lines at the end.
 */
export default class ProgressReporter implements Reporter {
  private vitest!: Vitest
  private files = 0
  private began = 0
  private drawn = 0
  private done: { name: string; ms: number; failed: boolean }[] = []
  private tests = { passed: 0, failed: 0, skipped: 0 }

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.files = specifications.length
    this.began = performance.now()
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'pending') return
    this.tests[state]++
    if (state === 'failed')
      this.fail(`${this.nameOf(test.module)} > ${test.fullName}`, test.project.name, errors)
    this.tell()
  }

  /** Errors of hooks belong to no test. */
  onTestSuiteResult(suite: TestSuite): void {
    const errors = suite.errors()
    if (errors.length > 0)
      this.fail(`${this.nameOf(suite.module)} > ${suite.fullName}`, suite.project.name, errors)
  }

  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration } = module.diagnostic()
    const errors = module.errors()
    const name = this.nameOf(module)
    if (errors.length > 0) this.fail(name, module.project.name, errors)
    this.done.push({ name, ms: duration + collectDuration, failed: !module.ok() })
    this.tell()
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors) this.fail('outside of a test', '', [error])
    this.clear()
    const failed = this.done.filter((each) => each.failed).length
    const slowest = this.done.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST)
    const parts = Object.entries(this.tests).filter(([state, count]) => count > 0 || state === 'passed')
    this.print(
      `\n     Files  ${this.done.length - failed} passed${failed > 0 ? ` | ${failed} failed` : ''} (${this.files})`,
    )
    this.print(`     Tests  ${parts.map(([state, count]) => `${count} ${state}`).join(' | ')}`)
    this.print(`  Duration  ${seconds(performance.now() - this.began)}`)
    this.print(`   Slowest  ${slowest.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}`)
    this.print(`Run a part  npm test -- <word of a file's name>`)
  }

  private nameOf = ({ moduleId }: TestModule): string => relative(this.vitest.config.root, moduleId)

  private fail(name: string, project: string, errors: readonly SerializedError[] = []): void {
    this.clear()
    this.print(` FAIL  ${project ? `${project} ` : ''}${name}`)
    for (const error of errors) this.vitest.logger.printError(error, { type: '' })
  }

  private tell(): void {
    const now = performance.now()
    const { isTTY, columns = 80 } = process.stdout
    if (now - this.drawn < (isTTY ? REDRAW_MS : EVERY_MS)) return
    this.drawn = now
    const { passed, failed, skipped } = this.tests
    const latest = this.done.at(-1)
    const line = `${this.done.length} of ${this.files} files, ${passed + failed + skipped} tests, ${failed} failed, ${seconds(now - this.began)}${latest ? `, last: ${latest.name}` : ''}`
    if (isTTY) process.stdout.write(`\r\x1b[2K${line.slice(0, columns - 1)}`)
    else this.print(line)
  }

  private clear(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K')
  }

  private print(line: string): void {
    process.stdout.write(`${line}\n`)
  }
}
