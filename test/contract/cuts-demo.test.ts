import { cutsHold, someBytes } from './cuts.ts'
import { demo } from './subjects.ts'

cutsHold(demo(), someBytes)
