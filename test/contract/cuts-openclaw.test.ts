import { cutsHold, everyByte, isShort, manyBytes, someBytes } from './cuts.ts'
import { demo, fixtures } from './subjects.ts'

cutsHold(fixtures('openclaw').filter(isShort), everyByte)
cutsHold(
  fixtures('openclaw').filter((subject) => !isShort(subject)),
  manyBytes,
)
cutsHold(demo(), someBytes)
