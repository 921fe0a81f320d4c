import { describeHostileSettings } from './fixtures/hostile-settings.ts'

describeHostileSettings('perl')
describeHostileSettings('node')
