import type { DayFigures, FiguresRequest, MinuteFigure } from '../../figures.ts'
import type { Scope } from '../scope.ts'
export const readFigures = (_: Scope, __: FiguresRequest): DayFigures[] => []
export const readMinutes = (_: Scope, __: number): MinuteFigure[] => []
