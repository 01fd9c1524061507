"""The only Streamlit code besides the pages: shell, controls, words, the visitor's workspace."""
