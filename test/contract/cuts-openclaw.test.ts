import { cutsHold, everyByte, someBytes } from './cuts.ts'
import { demo, fixtures } from './subjects.ts'

cutsHold(fixtures('openclaw'), everyByte)
cutsHold(demo(), someBytes)
