import { workerData } from 'node:worker_threads';
import { serveWork } from '../../store/index.js';
import { compileModel } from './compile-model.js';
import type { ModelLimits } from './scan-xml.js';

const limits = workerData as ModelLimits;

serveWork((xml: string) => compileModel(xml, limits));
