import { cutsHold, isShort, manyBytes } from './cuts.ts'
import { fixtures } from './subjects.ts'

cutsHold(
  fixtures('claude-code').filter((subject) => !isShort(subject)),
  manyBytes,
)
