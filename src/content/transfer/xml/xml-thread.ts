import { serveWork } from '../../../store/index.js';
import { readXml, type XmlSource } from './read-xml.js';
import { pagedXml } from './xml-pages.js';

serveWork((source: XmlSource) => pagedXml(readXml(source)));
