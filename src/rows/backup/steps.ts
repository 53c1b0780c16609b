/** The steps of a backup or its restoration that take long. */
type Step = 'copying' | 'verifying';

/** Called with the progress of a step. */
export type OnStep = (step: Step, done: number, total: number) => void;
