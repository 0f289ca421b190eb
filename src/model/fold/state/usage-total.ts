import type { Usage } from '../../event.ts'
import { ExactSum } from './exact-sum.ts'

const FIGURES = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteHour', 'cost'] as const

/** A total as plain data. */
export interface UsageTotalState {
  /** How many usages state a cost. */
  costs: number
  sums: number[][]
}

/** A total of usages that are added and taken away. */
export class UsageTotal {
  #costs: number
  readonly #sums: readonly ExactSum[]

  constructor(state?: UsageTotalState) {
    this.#costs = state?.costs ?? 0
    this.#sums = FIGURES.map((_, index) => new ExactSum(state?.sums[index]))
  }

  /** `sign` is -1 to take it away. */
  add(usage: Usage, sign: 1 | -1): void {
    for (let index = 0; index < FIGURES.length; index++)
      this.#sums[index]!.add(sign * (usage[FIGURES[index]!] ?? 0))
    if (usage.cost !== undefined) this.#costs += sign
  }

  get value(): Usage {
    const [input, output, cacheRead, cacheWrite, cacheWriteHour, cost] = this.#sums.map(({ value }) => value)
    return {
      ...{ input: input!, output: output!, cacheRead: cacheRead!, cacheWrite: cacheWrite! },
      ...(cacheWriteHour! > 0 ? { cacheWriteHour } : {}),
      ...(this.#costs > 0 ? { cost } : {}),
    }
  }

  save(): UsageTotalState {
    return { costs: this.#costs, sums: this.#sums.map((sum) => sum.save()) }
  }
}
