import { cutsHold, isShort, manyBytes } from './cuts.ts'
import { allFixtures } from './subjects.ts'

cutsHold(
  allFixtures().filter((subject) => !isShort(subject)),
  manyBytes,
)
