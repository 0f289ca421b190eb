import { cutsHold, everyByte, isShort } from './cuts.ts'
import { fixtures } from './subjects.ts'

cutsHold(
  fixtures('claude-code').filter((subject) => !isShort(subject)),
  everyByte,
)
