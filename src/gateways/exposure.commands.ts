import { v5 } from 'uuid';
import { Command } from '../eventsourcing/command.js';
import type { Exposure } from './exposure.events.js';

/** An exposure is an aggregate of its own, its id derived from what it joins: one per gateway and tool. */
export function exposureId(gatewayId: string, toolId: string): string {
  return v5(toolId, gatewayId);
}

/** Exposes a tool on a gateway, or sets how it is exposed. */
export class ExposeTool extends Command<Exposure> {
  readonly aggregateType = 'ToolExposure';
  /** Tells it from the other, which TypeScript compares by shape. */
  readonly exposes = true;
}

/** Takes the tool off the gateway. */
export class WithdrawTool extends Command<Pick<Exposure, 'gatewayId' | 'toolId'>> {
  readonly aggregateType = 'ToolExposure';
}

export type ToolExposureCommand = ExposeTool | WithdrawTool;
