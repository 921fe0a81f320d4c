// Where there is a C compiler.
import { describeHostileSettings } from './fixtures/hostile-settings.ts'

describeHostileSettings('native')
