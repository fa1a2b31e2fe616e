/**
 * Progress of long-running work: one updated line on a terminal, JSON lines for scripts, otherwise
 * nothing.
 */
import { fit } from './width.js';

export interface Step {
  /** `importing`. */
  readonly doing: string;
  /** The number of completed items, and their noun. */
  readonly done: number;
  readonly unit: string;
  /** Fraction of the whole, from 0 to 1. */
  readonly fraction: number;
}

export type NotifyProgress = (step: Step) => void;

/** A terminal, or the input of a script. */
export type ProgressStream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

const barWidth = 24;
/** Seconds until a rate is meaningful. */
const soonest = 1;

export class Progress {
  private doing = '';
  private started = 0;
  private begun = 0;

  constructor(
    private readonly stream: ProgressStream,
    private readonly isJson = false,
  ) {}

  readonly notify: NotifyProgress = (step) => {
    const { doing, done, unit, fraction } = step;
    if (this.isJson) {
      this.stream.write(
        `${JSON.stringify({ progress: { doing, done, unit, fraction: Number(fraction.toFixed(4)) } })}\n`,
      );
    } else if (this.stream.isTTY) {
      this.stream.write(
        `\r\u001b[K${fit(this.line(step), Math.max(1, (this.stream.columns || 80) - 1))}`,
      );
    }
  };

  /** Removes the line, so that other text can follow. */
  clear(): void {
    if (this.stream.isTTY && !this.isJson) this.stream.write('\r\u001b[K');
  }

  private line({ doing, done, unit, fraction }: Step): string {
    if (doing !== this.doing) {
      this.doing = doing;
      this.started = performance.now();
      this.begun = fraction;
    }
    const filled = Math.round(fraction * barWidth);
    const percent = `${Math.floor(fraction * 100)}`.padStart(3);
    const seconds = (performance.now() - this.started) / 1000;
    const left =
      seconds < soonest || fraction <= this.begun
        ? ''
        : `, ${duration((seconds * (1 - fraction)) / (fraction - this.begun))} left`;
    return `${doing} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${percent} %  ${done} ${unit}${left}`;
  }
}

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
