import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    // Most tests wait for a process of their own, so that one worker a core is not too much.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
