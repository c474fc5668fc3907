import { serveWork } from '../../store/index.js';
import { readXml } from './read-xml.js';

serveWork(readXml);
