import { expect, it } from 'vitest'
import { openStore } from '../../src/index.ts'
import { isEditing, isReading, isRunning } from '../../src/model/tool-kind.ts'

it('a story knows what the tools of every agent do: run a command, edit a file or read one', async () => {
  await using store = await openStore({ demo: true, storePath: ':memory:' })
  const platforms = new Set<string>()
  for await (const session of store.sessions({ kind: 'all' }))
    for await (const { tool } of store.messages(session)) {
      if (!tool?.target) continue
      const { name, target } = tool
      if (/^(?:cat|git|grep|ls|node|npm|psql|sed) /.test(target)) {
        platforms.add(session.platform)
        expect({ name, target, runs: isRunning(name) }).toEqual({ name, target, runs: true })
      } else if (/^(?:~|\.)?\/?(?:[\w.-]+\/)+[\w-]+\.[a-z]+$/.test(target) && name !== 'Grep')
        expect({ name, target, isOfFile: isEditing(name) || isReading(name) }).toMatchObject({
          isOfFile: true,
        })
    }
  expect(platforms.size).toBeGreaterThanOrEqual(9)
})
