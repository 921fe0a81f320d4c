/** Said to whoever runs the hub as it is, without a stack. */
export class HubProblem extends Error {}
