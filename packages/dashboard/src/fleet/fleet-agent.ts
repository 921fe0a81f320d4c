// One agent of the fleet, as the daemon tells it.
import type { PageApi } from '#page/api.ts'

export type FleetAgent = PageApi['fleet.list']['result'][number]
