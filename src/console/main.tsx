import './style/main.css';
import { render } from 'preact';
import { App } from './app/app.tsx';

const root = document.querySelector('#root');
if (root !== null) render(<App />, root);
