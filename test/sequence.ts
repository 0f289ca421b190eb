import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take a minute and more. Started last, one of them would keep one worker busy alone. */
const LONG = [
  'test/bench/quick',
  'test/e2e/examples',
  'test/page/pages',
  'test/hostile/printed',
  'test/contract/cuts-short',
  'test/e2e/public-examples',
  'test/hostile/every-field',
  'test/contract/cuts-long',
]

const isLong = ({ moduleId }: TestSpecification): boolean =>
  LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`))

/** Starts the longest test files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
