import { cutsHold, everyByte, isShort } from './cuts.ts'
import { allFixtures } from './subjects.ts'

cutsHold(allFixtures().filter(isShort), everyByte)
